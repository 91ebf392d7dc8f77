/** Finds where each answer of a connection ends. Does no more than that: what it costs is taken from the load. */
export class AnswerReader {
  #received: Buffer = Buffer.alloc(0)

  /** Takes in what has come. @returns whether the answer is complete, and nothing comes after it
   *  @throws if it is not a 200 or 201, or doesn't say how long it is */
  ends(chunk: Buffer): boolean {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    if (!isComplete(this.#received)) return false
    this.#received = Buffer.alloc(0)
    return true
  }
}

function isComplete(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = answer.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200 ') && !head.startsWith('HTTP/1.1 201 ')) {
    throw new Error(`neither 200 nor 201: ${answer.toString()}`)
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return answer.length >= end + 4 + Number(length)
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`an answer without a length: ${head}`)
  return answer.subarray(-7).toString('latin1').endsWith('\r\n0\r\n\r\n')
}
