import * as z from 'zod/mini'
import { LEGAL_TEXT_IDS } from './appearance-rules'
import { get, visitor } from './endpoint'

export const LegalText = z.object({
  id: z.enum(LEGAL_TEXT_IDS),
  /** Safe HTML. */
  html: z.string(),
})
export type LegalText = z.infer<typeof LegalText>

export const legalTextsApi = {
  legalText: get('/api/legal/:id', LegalText, { ...visitor, description: '404 while the text is empty.' }),
}
