import { expect, test } from 'vitest'
import { CENTERED_CROP, cropOf } from './image-crop'

const WIDE = { width: 4000, height: 2000 }
const SQUARE = { width: 1200, height: 1200 }

test('crops around the center without enlarging', () => {
  expect(cropOf(WIDE, SQUARE)).toEqual({
    x: 1000,
    y: 0,
    width: 2000,
    height: 2000,
    outputWidth: 1200,
    outputHeight: 1200,
  })
  expect(cropOf({ width: 600, height: 600 }, SQUARE)).toMatchObject({ outputWidth: 600, outputHeight: 600 })
})

test('takes the chosen part of the picture', () => {
  expect(cropOf(WIDE, SQUARE, { ...CENTERED_CROP, x: 0 })).toMatchObject({ x: 0, width: 2000 })
  expect(cropOf(WIDE, SQUARE, { ...CENTERED_CROP, x: 1 })).toMatchObject({ x: 2000, width: 2000 })
  expect(cropOf(WIDE, SQUARE, { x: 0.5, y: 1, zoom: 2 })).toEqual({
    x: 1500,
    y: 1000,
    width: 1000,
    height: 1000,
    // Not 1200, because a zoom does not enlarge either.
    outputWidth: 1000,
    outputHeight: 1000,
  })
})
