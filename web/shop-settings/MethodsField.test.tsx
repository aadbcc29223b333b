import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { ShippingMethodDraft } from '../../worker/contract/shop-settings'
import { changeField } from '../testing/render'
import { MethodsField, NEW_METHOD } from './MethodsField'

function Form(changes: Partial<ShippingMethodDraft>) {
  const [methods, setMethods] = useState<readonly ShippingMethodDraft[]>([{ ...NEW_METHOD, ...changes }])
  return <MethodsField value={methods} onChange={setMethods} />
}

test('keeps free delivery on while its amount is empty', () => {
  render(<Form freeFromCents={10_000} />)
  const isFreeChecked = () => screen.getByLabelText<HTMLInputElement>('Free from an amount').checked
  changeField('Free from', '')
  expect([isFreeChecked(), screen.getByLabelText<HTMLInputElement>('Free from').value]).toEqual([true, ''])
  changeField('Free from', '50')
  expect([isFreeChecked(), screen.getByLabelText<HTMLInputElement>('Free from').value]).toEqual([true, '50'])
})

test('gives each method of a restored draft its own key', () => {
  const consoleError = vi.spyOn(console, 'error').mockReturnValue()
  const { rerender } = render(<MethodsField value={[NEW_METHOD]} onChange={() => {}} />)
  rerender(<MethodsField value={[NEW_METHOD, NEW_METHOD, NEW_METHOD]} onChange={() => {}} />)
  expect(screen.getAllByLabelText('Name')).toHaveLength(3)
  expect(consoleError).not.toHaveBeenCalled()
})

test('keeps typed prices after another method is removed', () => {
  render(<Form />)
  fireEvent.click(screen.getByRole('button', { name: 'Add a method' }))
  const prices = () => screen.getAllByLabelText<HTMLInputElement>('First item')
  fireEvent.change(prices()[1]!, { target: { value: '7.' } })
  fireEvent.click(screen.getByRole('button', { name: 'Remove method Standard' }))
  expect(prices().map(({ value }) => value)).toEqual(['7.'])
})

test('names a band without a weight by its number', () => {
  const bands = [500, 1000].map((upToGrams) => ({ upToGrams, priceCents: 800 }))
  render(<Form pricing="weight" bands={bands} />)
  const [, second] = screen.getAllByLabelText('Up to')
  if (second) fireEvent.change(second, { target: { value: '' } })
  expect(screen.getByRole('button', { name: 'Remove the band up to 500 grams' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Remove band 2' })).toBeDefined()
})
