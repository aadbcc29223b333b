/** An address as lists show it: `j…@mail.example`. Who needs the whole one reveals it, and that is written down. */
export const maskedEmail = (email: string): string => `${[...email][0] ?? ''}…${email.slice(email.lastIndexOf('@'))}`
