/** Headers as they were sent, each on a line of its own. */
export function HeaderTable({
  headers,
  caption,
}: {
  headers: Readonly<Record<string, string>>
  caption: string
}) {
  const rows = Object.entries(headers)
  if (rows.length === 0) return <p class="hint">No headers are stored.</p>
  return (
    <table class="headers">
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([name, value]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>
              <code>{value}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
