import { expect, test } from 'vitest'
import { matchesEtag } from './send-stored-file'

test('matches weak and strong ETags, lists and *', () => {
  expect(['"a"', 'W/"a"', '"b", "a"', '*'].map((header) => matchesEtag(header, '"a"'))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['"b"', 'a', '', undefined].map((header) => matchesEtag(header, '"a"'))).toEqual([false, false, false, false])
})
