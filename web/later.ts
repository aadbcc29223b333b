// What a page that the worker drew around a large picture runs first. Such a page is read without the app: its script, and
// the pictures further down (base.css), wait for the picture that is seen first and do not share its bytes. A picture that
// does not come is waited for no longer than this.
const PATIENCE_MS = 4_000

const app = document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset.app
const picture = document.querySelector<HTMLImageElement>('img[fetchpriority="high"]')

async function seen(image: HTMLImageElement): Promise<void> {
  if (image.complete) return
  await new Promise<void>((done) => {
    for (const end of ['load', 'error']) image.addEventListener(end, () => done(), { once: true })
    setTimeout(done, PATIENCE_MS)
  })
}

if (picture) await seen(picture)
delete document.documentElement.dataset.waiting
if (app) await import(/* @vite-ignore */ app)

export {}
