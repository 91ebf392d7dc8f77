import type { Plugin } from 'esbuild'

export function bakedDefaults(root: string): Plugin

export const made: Readonly<Record<string, string>>
