import type { Page } from '@playwright/test'
import { VERSE_TERMS } from '../../worker/contract/draft-rules'
import { expect } from './expectations'
import { audioFile } from './media-files'
import { originOf, postJson } from './page'

/** Submits a verse with a short recording through the API. */
export async function submitVerse(page: Page, challengeId: string, name: string, email: string): Promise<void> {
  const upload = await page.request.post('/api/challenge/recordings', {
    headers: { origin: originOf(page), 'content-type': 'audio/wav' },
    data: audioFile(4).buffer,
  })
  const { recording } = (await upload.json()) as { recording: string }
  const verse = { name, email, phoneNumber: '(813) 555-0142', recording, terms: VERSE_TERMS.version }
  const response = await postJson(page, `/api/challenges/${challengeId}/submissions`, verse)
  expect([name, response.ok() ? '' : await response.text()]).toEqual([name, ''])
}
