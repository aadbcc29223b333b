import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords'

const KNOWN_WORDS = ['commonfan', 'Coral Kingsley']

test.each([
  'password',
  'Password123!',
  'p@ssw0rd',
  'iloveyou1',
  'qwertyuiop',
  '12345678',
  '87654321',
  'aaaaaaaa',
  'abcabcabc',
  'Dragon2024',
  'CoralKingsley1',
  'coral kingsley!',
  'commonfan1',
  '12345678a',
  '1234qwer',
  'aa123456',
  'zaq12wsx',
  '1a2b3c4d',
  '147258369',
  '11223344',
  'abc12345',
  '12qwaszx',
  '!qaz2wsx3',
])('%s is common', (password) => {
  expect(isCommonPassword(password, KNOWN_WORDS)).toBe(true)
})

test.each(['12345678 nine boats', 'éclair à la plage', 'seven golden lanterns'])('%s is uncommon', (password) => {
  expect(isCommonPassword(password, KNOWN_WORDS)).toBe(false)
})
