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

export function divided(
  modules: Modules,
  entries: readonly string[],
): { readonly start: Set<string>; readonly late: Set<string>; readonly shared: Set<string> }

export function fromOtherFile(root: string, paths: Set<string>): Plugin
