import { MINIMUM_AGE_YEARS } from './retention'

/** What whoever makes an account confirms by it; it stands below every way to make one. */
export const AGE_NOTICE = `By making an account here, with Google too, you confirm that you are ${MINIMUM_AGE_YEARS} or older.`

/** The sentence's name, kept with the instant at which somebody signed up below it; new words get a new name. */
export const AGE_NOTICE_VERSION = 'age-13-2025-07-18'
