import * as z from 'zod/mini'
import { get, visitor } from './endpoint'
import { LEGAL_TEXT_IDS } from './home-sections'

export const LegalText = z.object({
  id: z.enum(LEGAL_TEXT_IDS),
  /** Safe HTML. */
  html: z.string(),
})
export type LegalText = z.infer<typeof LegalText>

export const legalTextsApi = {
  legalText: get('/api/legal/:id', LegalText, { ...visitor, description: '404 while the text is empty.' }),
}
