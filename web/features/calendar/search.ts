export interface CalendarSearch {
  readonly client?: string | undefined
  readonly month?: string | undefined
}
