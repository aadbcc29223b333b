import type { Appearance } from '@stripe/stripe-js'

const TOKENS = ['gold', 'ground', 'sleeve', 'ivory', 'muted', 'sunset', 'rule-strong'] as const

/**
 * Our tokens in the words of Stripe's Appearance API. Its frames know neither our variables nor OKLCH, so each colour
 * is painted once and read back as sRGB.
 */
export function stripeAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement)
  const [gold, ground, sleeve, ivory, muted, sunset, rule] = TOKENS.map((name) =>
    toHex(style.getPropertyValue(`--color-${name}`)),
  )
  return {
    theme: 'night',
    labels: 'above',
    variables: {
      colorPrimary: gold,
      colorBackground: sleeve,
      colorText: ivory,
      colorTextSecondary: muted,
      colorTextPlaceholder: muted,
      colorDanger: sunset,
      fontFamily: 'Archivo, system-ui, sans-serif',
      fontSizeBase: '17px',
      spacingUnit: '5px',
      borderRadius: '2px',
    },
    rules: {
      '.Label': { fontWeight: '600', letterSpacing: '0.06em', textTransform: 'uppercase', fontSize: '14px' },
      '.Input': { border: `1px solid ${rule}`, boxShadow: 'none', padding: '14px' },
      '.Input:focus': { border: `1px solid ${gold}`, boxShadow: 'none', outline: `2px solid ${gold}` },
      '.Tab': { border: `1px solid ${rule}` },
      '.Tab--selected': { border: `1px solid ${gold}`, backgroundColor: ground },
    },
  } as Appearance
}

/** A CSS colour as '#rrggbb'; black where the browser cannot paint. */
function toHex(color: string): string {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!canvas) return '#000000'
  canvas.fillStyle = color
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
