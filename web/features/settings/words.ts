/** Every text of Settings that a person reads. */
export const words = {
  timeZone: 'Time Zone',
  searchZones: 'Search time zones',
  searchHint: 'City, country or offset',
  noZone: 'No time zone found.',
} as const
