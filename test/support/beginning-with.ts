import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A sequencer that begins with these test files, in this order. To be given those that take longest, so that none of
 *  them is begun last; on a fresh clone vitest itself can but go by the size of the files. */
export function beginningWith(...paths: readonly string[]) {
  const rank = ({ moduleId }: TestSpecification) => {
    const at = paths.findIndex((path) => moduleId.endsWith(`/${path}`))
    return at === -1 ? paths.length : at
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
    }
  }
}
