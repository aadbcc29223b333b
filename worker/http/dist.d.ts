// The build's output is not there when types are checked on a fresh clone.
declare module '*/dist/manifest.json' {
  const manifest: Record<string, { file: string; css?: string[]; assets?: string[] } | undefined>
  export default manifest
}
