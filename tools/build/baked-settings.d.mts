import type { Plugin } from 'esbuild'

export function bakedSettings(root: string): Plugin
