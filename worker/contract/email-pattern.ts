// In a file of its own, because the home page's forms use it without the library behind text.ts.

/**
 * One e-mail address as typed: a local part, an @ and a dotted domain, at most 254 characters.
 * Deliberately simple (specification section 5): whether a mailbox exists is proved by a mail to it.
 */
export const EMAIL_PATTERN = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+\.[^\s@,;:<>()[\]\\".]{2,}$/
