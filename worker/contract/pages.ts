/**
 * The pages of the single-page app, in the specification's order (section 2). The worker answers these with the
 * shell and status 200, and every other path with the shell, the 404 card and status 404 (ruling 14).
 */
export const PAGES = [
  '/',
  '/subscribe',
  '/checkout',
  '/admin',
  '/admin-login',
  '/login',
  '/auth',
  '/signup',
  '/privacy-policy',
  '/shows/:id',
  '/challenge',
  '/admin/shows/:id/door',
  '/verse-submissions',
  '/golden-verse-admin',
  '/csv-download',
  '/download-csv',
  '/account',
  '/verify-email',
  '/reset-password',
  '/orders/:id',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/alerts/confirm',
  '/inquiries/confirm',
  '/challenge/withdraw',
  '/challenge/:id',
  '/csv-link',
  '/demo/mailbox',
] as const
