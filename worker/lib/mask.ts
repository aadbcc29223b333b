// What lists show of an address or a number before somebody reveals it (ruling 8).

/** `j…@mail.example`: enough to know one's own. Who needs the whole one reveals it, and that is written down. */
export const maskEmail = (email: string) => `${[...email][0] ?? ''}…${email.slice(email.lastIndexOf('@'))}`

/** `••• ••• ••00` */
export const maskPhone = (phone: string) => (phone === '' ? '' : `••• ••• ••${phone.slice(-2)}`)
