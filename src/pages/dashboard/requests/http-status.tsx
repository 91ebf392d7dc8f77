/** The status of an answer; 0 stands for none. */
export function HttpStatus({ of }: { of: number }) {
  const tone = of >= 200 && of < 300 ? 'good' : of === 0 ? 'waiting' : 'bad'
  return <span class={`status ${tone}`}>{of === 0 ? 'no answer' : of}</span>
}
