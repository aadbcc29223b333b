import * as z from 'zod/mini'
import { EXCLUSIVE_POST_LIMITS, INQUIRY_KINDS, MAX_INQUIRY_LENGTH, VERSE_LIMITS, VERSE_TERMS } from './draft-rules'
import { draftVersion, emailAddress, line, prose, turnstileToken } from './fields'

// Schemas that forms of public pages load on the first validation.

export const VerseDraft = z.strictObject({
  name: line(VERSE_LIMITS.name, 'Your name'),
  email: emailAddress,
  phoneNumber: line(VERSE_LIMITS.phone, 'Your phone number'),
  /** As returned by `uploadRecording`. */
  recording: line(64, 'The recording'),
  /** The version of VERSE_TERMS that the entrant accepted. */
  terms: z.literal(VERSE_TERMS.version, 'Please accept the terms of the challenge.'),
  turnstileToken,
})
export type VerseDraft = z.infer<typeof VerseDraft>

export const InquiryDraft = z.strictObject({
  email: emailAddress,
  kind: z.enum(INQUIRY_KINDS, 'Please choose what it is about.'),
  message: prose(MAX_INQUIRY_LENGTH, 'Your message').check(z.minLength(1, 'Your message is required.')),
})
export type InquiryDraft = z.infer<typeof InquiryDraft>

/** A PATCH sends the whole draft. */
export const ExclusivePostDraft = z.strictObject({
  title: line(EXCLUSIVE_POST_LIMITS.title, 'The title'),
  text: prose(EXCLUSIVE_POST_LIMITS.text, 'The post').check(z.minLength(1, 'Please write something first.')),
  tier: z.enum(['silver', 'gold']),
  version: draftVersion,
})
export type ExclusivePostDraft = z.infer<typeof ExclusivePostDraft>
