import { render } from '@testing-library/react'
import { Heart } from 'lucide-react'
import { expect, test } from 'vitest'
import { type IconNode, lineIcon } from './line-icon'

const LINES: IconNode = { node: [['path', { d: 'M2 2h20' }]] }
const svg = (icon: React.ReactElement) => render(icon).container.querySelector('svg')

test('an icon of the house looks as the library’s own does', () => {
  const Own = lineIcon(LINES)
  const looks = ['width', 'height', 'viewBox', 'fill', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin']
  const [own, theirs] = [svg(<Own size={18} fill="red" />), svg(<Heart size={18} fill="red" />)]
  for (const look of [...looks, 'aria-hidden']) expect(own?.getAttribute(look), look).toBe(theirs?.getAttribute(look))
  expect(own?.innerHTML).toBe('<path d="M2 2h20"></path>')
})

test('an icon that is named is read out', () => {
  const Own = lineIcon(LINES)
  expect(svg(<Own aria-label="A heart" />)?.hasAttribute('aria-hidden')).toBe(false)
})
