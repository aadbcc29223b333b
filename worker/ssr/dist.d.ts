// The build's output is not there when types are checked on a fresh clone.
declare module '*/dist/manifest.json' {
  const manifest: Record<string, { file: string; css?: string[]; assets?: string[]; imports?: string[] } | undefined>
  export default manifest
}

declare module '*/dist/server/render.js' {
  /** See web/render.tsx. */
  export function render(
    path: string,
    data: Partial<import('../contract/pages').PageData>,
  ): Promise<{ html: string; state: unknown }>
}
declare module '*/dist/server/styles.js' {
  /** Style sheets by path, with their `sha256-…` for the content security policy. */
  export const styles: Readonly<Record<string, { css: string; hash: string } | undefined>>
}
