import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderWithProviders } from '../testing/render'
import { NavMenu } from './NavMenu'

const button = () => screen.getByRole('button')

async function open(contact = 'https://social.example/artist') {
  await renderWithProviders(<NavMenu contact={contact} />)
  fireEvent.click(button())
  return screen.getByRole('navigation', { name: 'Menu' })
}

test('opens and sets aria-expanded', async () => {
  const menu = await open()
  expect(button().getAttribute('aria-expanded')).toBe('true')
  expect([...menu.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/#music',
    '/#merch',
    '/#concerts',
    '/#exclusive',
    '/#smart-features',
    'https://social.example/artist',
  ])
})

test('closes on Escape and returns focus', async () => {
  const menu = await open()
  menu.querySelector('a')?.focus()
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(button().getAttribute('aria-expanded')).toBe('false')
  expect(document.activeElement).toBe(button())
})

test('closes on a press outside', async () => {
  await open()
  fireEvent.pointerDown(document.body)
  expect(button().getAttribute('aria-expanded')).toBe('false')
})

test('omits Contact without a social profile', async () => {
  const menu = await open('')
  expect(menu.textContent).not.toContain('Contact')
})
