import type { Plugin } from 'esbuild'

interface Modules {
  readonly inputs: Readonly<
    Record<
      string,
      {
        readonly imports: readonly {
          readonly path: string
          readonly kind: string
          readonly external?: boolean
        }[]
      }
    >
  >
}

export const atStart: readonly string[]

export function divided(
  modules: Modules,
  entries: readonly string[],
  loadedLate?: readonly string[],
): { readonly start: Set<string>; readonly late: Set<string>; readonly shared: Set<string> }

export function fromOtherFile(root: string, paths: Set<string>): Plugin

export function refuseTwins(
  metafiles: readonly [Pick<Modules, 'inputs'>, Pick<Modules, 'inputs'>],
  inBoth: readonly string[],
): void
