import { MAX_EMAIL_CHARS } from './credential-rules'

// Limits and choices of forms, apart from their schemas, so that public pages do not load zod.

/** Of community posts and of reports, in UTF-16 code units. */
export const POST_LIMITS = { text: 1000, alt: 300, reason: 300 } as const
/** In UTF-16 code units. */
export const EXCLUSIVE_POST_LIMITS = { title: 120, text: 10_000 } as const

/** In UTF-16 code units. */
export const VERSE_LIMITS = { name: 80, email: MAX_EMAIL_CHARS, phone: 40 } as const

/** What entrants agree to besides the rules. Each verse stores the version, so a changed text needs a new version. */
export const VERSE_TERMS = {
  version: 'verse-2026-11',
  text: [
    'The verse and the recording are mine, and no one else has rights in them.',
    'The artist’s team may listen to the recording and keep it with my name, email address and phone number.',
    'If I am named a finalist, my stage name and my recording are played on this site and stay with the result.',
    'I have read the rules of this challenge and accept them.',
  ],
} as const

/** What an inquiry asks for: a right that the privacy policy names, or something else. */
export const INQUIRY_KINDS = ['access', 'correction', 'deletion', 'objection', 'other'] as const
export type InquiryKind = (typeof INQUIRY_KINDS)[number]

export const MAX_INQUIRY_LENGTH = 2000
