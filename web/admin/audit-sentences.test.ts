import { expect, test } from 'vitest'
import { auditDetails, auditSentence } from './audit-sentences'

test.each([
  ['supporter.banned', 'user:7', 'marigold', 'banned marigold'],
  ['track.removed', 'track:3', 'Skyway', 'deleted the track “Skyway”'],
  ['concert.changed', 'concert:a:b', 'The Hall, Tampa', 'changed the show “The Hall, Tampa”'],
  ['order.refunded', 'order:o-1', '', 'refunded order o-1'],
  ['session.opened', '', '', 'logged in'],
  ['tax_rate.added', 'tax_rate:US', '', 'added the tax rate US'],
  ['appearance.changed', '', '', 'changed the theme or the home page'],
  ['legal_text.changed', 'legal_text:terms', '', 'changed the legal text terms'],
  ['newthing.turned_over', 'newthing:4', '', 'turned over the newthing 4'],
])('reads %s as a sentence', (action, subject, subjectName, sentence) => {
  expect(auditSentence({ action, subject, subjectName })).toBe(sentence)
})

test('describes details and leaves out empty ones', () => {
  expect(auditDetails({ reason: 'spam', sentTo: 3, was: null, note: '' })).toBe('Reason: spam. Sent to: 3')
})
