import { expect, test } from 'vitest'
import { csvText } from './csv'

test('escapes texts that spreadsheets would run as formulas', () => {
  const texts = ['=1+1', '-1+cmd', ' @SUM(A1)', '＝1', '-3', '-3.50', '-3%', 'a=b']
  expect(csvText([texts])).toBe("'=1+1,'-1+cmd,' @SUM(A1),'＝1,-3,-3.50,-3%,a=b\r\n")
})
