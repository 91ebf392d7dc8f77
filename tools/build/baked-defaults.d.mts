import type { Plugin } from 'esbuild'

export function bakedDefaults(root: string): Plugin
