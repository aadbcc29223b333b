import * as z from 'zod/mini'
import { LEGAL_TEXT_IDS } from './appearance-rules'
import { editors, get, managers, patch } from './endpoint'
import { optionalLine, prose } from './fields'
import { type NavSectionId, SECTION_IDS } from './home-sections'

/** The lightest background of text in the accent color: `--color-sleeve-high`. */
const LIGHTEST_SURFACE = '#211d18'
/** WCAG 2.2 AA for text. */
export const MIN_CONTRAST = 4.5

const HEX_COLOR = /^#[0-9a-f]{6}$/

/** WCAG relative luminance of `#rrggbb`, 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG contrast ratio of two colors `#rrggbb`, 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The lowest contrast that text in this color, or dark text on this color, has anywhere on the site. */
export const accentContrast = (color: string) => contrastRatio(color, LIGHTEST_SURFACE)

/**
 * CSS custom properties of an accent color and of its lighter and darker tones, which differ from it as much as the
 * tones of gold in web/styles/index.css differ from gold.
 */
export function accentProperties(color: string): Record<`--${string}`, string> {
  const tone = (lightnessChange: number, chromaFactor: number) =>
    `oklch(from ${color} calc(l ${lightnessChange < 0 ? '-' : '+'} ${Math.abs(lightnessChange)}) calc(c * ${chromaFactor}) h)`
  const stops = [
    tone(-0.15, 0.9),
    tone(0.055, 0.94),
    tone(0.13, 0.5),
    tone(-0.015, 1),
    tone(-0.18, 0.9),
    tone(0.06, 0.95),
  ]
  return {
    '--color-gold': color,
    '--color-gold-bright': tone(0.085, 0.9),
    '--color-gold-deep': tone(-0.195, 0.9),
    '--foil': `linear-gradient(102deg, ${stops.join(', ')})`,
  }
}

/** The team's changes to the site's design, navigation and legal texts. */
export const Appearance = z.object({
  /** `#rrggbb`; null for gold. */
  accent: z.nullable(z.string()),
  /** The visible sections of the home page, in order. */
  sections: z.array(z.enum(SECTION_IDS)),
  /** Navigation labels that differ from the defaults. */
  labels: z.partialRecord(z.enum(SECTION_IDS), z.string()),
  /** Legal texts that have a page. */
  legal: z.array(z.enum(LEGAL_TEXT_IDS)),
})
export type Appearance = z.infer<typeof Appearance>

const accent = z.nullable(
  z.string('The accent color must be like #d9b24c.').check(
    z.overwrite((color) => color.trim().toLowerCase()),
    z.regex(HEX_COLOR, 'The accent color must be like #d9b24c.'),
    z.refine(
      (color) => !HEX_COLOR.test(color) || accentContrast(color) >= MIN_CONTRAST,
      'Text in that color would be hard to read on the dark background. Please choose a lighter one.',
    ),
  ),
)

const sectionDrafts = z.array(z.strictObject({ id: z.enum(SECTION_IDS), isVisible: z.boolean() })).check(
  z.refine(
    (sections) =>
      sections.length === SECTION_IDS.length &&
      SECTION_IDS.every((id) => sections.some((section) => section.id === id)),
    'Each section must be listed once.',
  ),
  z.refine((sections) => sections.some(({ isVisible }) => isVisible), 'Show at least one section.'),
)

/** Empty for the default. */
const label = optionalLine(24, 'The label')

export const AppearanceDraft = z.strictObject({
  accent,
  /** All sections, in order. */
  sections: sectionDrafts,
  labels: z.strictObject({
    music: label,
    merch: label,
    concerts: label,
    exclusive: label,
    'smart-features': label,
  } satisfies Record<NavSectionId, unknown>),
  /** The version that the change was made from. */
  version: z.int(),
})
export type AppearanceDraft = z.infer<typeof AppearanceDraft>

/** A legal text in Markdown; an empty text has no page. */
export const LegalTextDraft = z.strictObject({
  text: prose(10_000, 'The text'),
  /** The version that the change was made from; 0 before the first. */
  version: z.int(),
})
export type LegalTextDraft = z.infer<typeof LegalTextDraft>

export const AdminLegalText = z.object({ id: z.enum(LEGAL_TEXT_IDS), ...LegalTextDraft.shape })
export type AdminLegalText = z.infer<typeof AdminLegalText>

export const adminAppearanceApi = {
  appearance: get('/api/admin/appearance', AppearanceDraft, editors),
  updateAppearance: patch('/api/admin/appearance', AppearanceDraft, null, {
    ...editors,
    description: '409 `conflict` for an outdated `version`.',
  }),
  legalTexts: get('/api/admin/legal-texts', z.array(AdminLegalText), managers),
  updateLegalText: patch('/api/admin/legal-texts/:id', LegalTextDraft, null, {
    ...managers,
    description: '409 `conflict` for an outdated `version`.',
  }),
}
