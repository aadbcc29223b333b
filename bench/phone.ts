/** Lighthouse's mobile profile: 412 by 823, CPU four times slower. */
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
export const CPU_SLOWDOWN = 4
