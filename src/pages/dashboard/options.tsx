/** One of a closed set; with a label where it is shown by another name. */
export type Option = string | { readonly value: string; readonly label: string }

/** A closed set, inside a `select`. */
export function Options({ options, chosen }: { options: readonly Option[]; chosen: string }) {
  return (
    <>
      {options.map((option) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
        return (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        )
      })}
    </>
  )
}
