// What lists show of an address or a number before somebody reveals it (ruling 8).

/** `a•••@mail.example` */
export const maskedAddress = (email: string) => email.replace(/^(.)[^@]*/u, '$1•••')

/** `••• ••• ••00` */
export const maskedNumber = (phone: string) => (phone === '' ? '' : `••• ••• ••${phone.slice(-2)}`)
