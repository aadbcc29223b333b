import { render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { ShippingMethodDraft } from '../../worker/contract/shop-settings'
import { changeField } from '../testing/render'
import { MethodsField, NEW_METHOD } from './MethodsField'

function Form() {
  const [methods, setMethods] = useState<readonly ShippingMethodDraft[]>([{ ...NEW_METHOD, freeFromCents: 10_000 }])
  return <MethodsField value={methods} onChange={setMethods} />
}

test('keeps free delivery on while its amount is empty', () => {
  render(<Form />)
  const isFreeChecked = () => screen.getByLabelText<HTMLInputElement>('Free from an amount').checked
  changeField('Free from', '')
  expect([isFreeChecked(), screen.getByLabelText<HTMLInputElement>('Free from').value]).toEqual([true, ''])
  changeField('Free from', '50')
  expect([isFreeChecked(), screen.getByLabelText<HTMLInputElement>('Free from').value]).toEqual([true, '50'])
})
