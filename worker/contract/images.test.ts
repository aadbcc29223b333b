import { expect, test } from 'vitest'
import { avifUrl, buildSrcSet, imageColor, resizedImageUrl } from './images'

test.each([
  ['/media/demo/hero.1f2e3d.c532.webp', '/media/demo/hero.1f2e3d.c532.320.webp', '532', true],
  ['/media/site/icon.1f2e3d.c532.png', '/media/site/icon.1f2e3d.c532.320.png', '532', false],
  ['/media/uploads/up_a.c532', '/media/uploads/up_a.c532@320', '532', false],
  ['/media/uploads/up_a', '/media/uploads/up_a@320', undefined, false],
  ['/media/demo/hero.webp', '/media/demo/hero.webp@320', undefined, false],
  ['https://a.example/media/uploads/up_a.c532.webp', 'https://a.example/media/uploads/up_a.c532.320.webp', '532', true],
  ['https://a.example/hero.c532.webp', 'https://a.example/hero.c532.webp', undefined, false],
])('parses the image URL %s', (src, resized, color, hasAvif) => {
  expect([resizedImageUrl(src, 320), imageColor(src), avifUrl(src)]).toEqual([
    resized,
    color,
    hasAvif ? src.replace('webp', 'avif') : null,
  ])
})

test('lists the variants of hosted images', () => {
  expect(buildSrcSet('/media/a/b.c532.avif', [320], 640)).toBe(
    '/media/a/b.c532.320.avif 320w, /media/a/b.c532.avif 640w',
  )
  expect(buildSrcSet('https://a.example/b.webp', [320], 640)).toBe(null)
})
