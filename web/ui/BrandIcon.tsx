import type { ReactNode } from 'react'

export type Brand = 'instagram' | 'tiktok' | 'youtube' | 'spotify' | 'appleMusic' | 'youtubeMusic'

export const BRAND_NAME: Record<Brand, string> = {
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  spotify: 'Spotify',
  appleMusic: 'Apple Music',
  youtubeMusic: 'YouTube Music',
}

const strokeProps = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.75, strokeLinecap: 'round' } as const

/** Generic icons instead of the services' trademarked logos. */
const BRAND_SHAPES: Record<Brand, ReactNode> = {
  instagram: (
    <>
      <rect x="3.5" y="3.5" width="17" height="17" rx="4.5" {...strokeProps} />
      <circle cx="12" cy="12" r="4" {...strokeProps} />
      <circle cx="16.8" cy="7.2" r="1.1" fill="currentColor" />
    </>
  ),
  tiktok: (
    <>
      <path d="M13 3.5v11.75a3.75 3.75 0 1 1-3.75-3.75" {...strokeProps} />
      <path d="M13 3.5c.4 3.2 2.6 5.2 6 5.4" {...strokeProps} />
    </>
  ),
  youtube: (
    <>
      <rect x="2.5" y="5.5" width="19" height="13" rx="3.5" {...strokeProps} />
      <path d="M10 9v6l5.2-3z" fill="currentColor" />
    </>
  ),
  spotify: (
    <>
      <circle cx="12" cy="12" r="9" {...strokeProps} />
      <path
        d="M7.2 9.3c3.4-1 7.2-.6 9.9 1M7.8 12.5c2.8-.8 5.8-.4 8.1.9M8.4 15.5c2.1-.6 4.4-.3 6.2.7"
        {...strokeProps}
      />
    </>
  ),
  appleMusic: (
    <>
      <path d="M9 17.5V6.2l9.5-2v11.3" {...strokeProps} />
      <ellipse cx="6.7" cy="17.6" rx="2.4" ry="2" fill="currentColor" />
      <ellipse cx="16.2" cy="15.6" rx="2.4" ry="2" fill="currentColor" />
    </>
  ),
  youtubeMusic: (
    <>
      <circle cx="12" cy="12" r="9" {...strokeProps} />
      <circle cx="12" cy="12" r="5.2" {...strokeProps} strokeWidth={1.25} />
      <path d="M10.6 9.7v4.6l3.8-2.3z" fill="currentColor" />
    </>
  ),
}

/** An icon beside the brand's name, hidden from assistive technology. */
export function BrandIcon({ brand, size = 22 }: { brand: Brand; size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      {BRAND_SHAPES[brand]}
    </svg>
  )
}
