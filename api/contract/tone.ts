/** Shared by the server's writer and the web's form. Browser-safe. */
export const defaultTone = 'professional'
