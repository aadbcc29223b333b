// What a page that the worker drew around a large picture runs first. Such a page is read without the app: its script, and
// the pictures further down (base.css), wait for the picture that is seen first and do not share its bytes. A picture that
// does not come is waited for no longer than this.
const PATIENCE_MS = 4_000

const app = document.querySelector<HTMLElement>('[data-app]')?.dataset.app
const picture = document.querySelector<HTMLImageElement>('img[fetchpriority="high"]')

await Promise.race([picture?.decode().catch(() => {}), new Promise((done) => setTimeout(done, PATIENCE_MS))])
delete document.documentElement.dataset.waiting
if (app) void import(/* @vite-ignore */ app)

export {}
