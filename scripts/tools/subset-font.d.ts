declare module 'subset-font' {
  type Axis = { min: number; max: number }
  type Options = { targetFormat: 'woff2' | 'truetype'; variationAxes?: Record<string, Axis> }
  /** `font` with the letters of `text` alone. */
  // biome-ignore lint/style/noDefaultExport: it is what the package has.
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array>
}
