/** The agency that this page shows: each change names it, so that none goes to another one. */
let read: () => string | null = () => null

export const agencyOfPage = {
  /** Set by the client of the queries, which knows the agency. */
  from: (reader: typeof read) => void (read = reader),
  /** None before the first answer, and for a person without an agency. */
  header: (): Readonly<Record<string, string>> => {
    const id = read()
    return id === null ? {} : { 'X-Agency': id }
  },
}
