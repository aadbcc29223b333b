/** Pages inside the dashboard: they have its shell instead of the site's navigation. */
const ADMIN_PATH = /^\/(admin|verse-submissions|golden-verse-admin|csv-download|download-csv)(\/|$)/

export const isAdminPath = (path: string) => ADMIN_PATH.test(path)
