/** Paths of the dashboard's pages, which have its navigation instead of the site's; not all begin with /admin. */
const ADMIN_PATH = /^\/(admin|verse-submissions|golden-verse-admin|csv-download|download-csv)(\/|$)/

export const isAdminPath = (path: string) => ADMIN_PATH.test(path)
