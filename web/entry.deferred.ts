// What a page that the worker drew around a large picture runs first, from its very end. Such a page is read without the
// app, in letters like the house's: the app's script, the house's own letters and the pictures further down (base.css) wait
// for the picture that is seen first and do not share its bytes. Whatever is waited for, it is waited for no longer than this.
const TIMEOUT_MS = 4_000

const app = document.querySelector<HTMLElement>('[data-app]')?.dataset.app
const [selfTiming] = performance.getEntriesByName(import.meta.url) as PerformanceResourceTiming[]

/** To whom no byte of this file was sent, they were here before: the letters are at hand, and so is all the rest. */
const lcpReady = async () =>
  selfTiming?.transferSize === 0
    ? document.fonts.load('1rem Archivo')
    : document.querySelector<HTMLImageElement>('img[fetchpriority="high"]')?.decode()
await Promise.race([lcpReady().catch(() => {}), new Promise((done) => setTimeout(done, TIMEOUT_MS))])
delete document.documentElement.dataset.waiting
if (app) void import(/* @vite-ignore */ app)

export {}
