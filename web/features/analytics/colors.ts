/** The same colour for the same figure, everywhere. */
export const viewsColor = 'var(--color-chart-1)'
export const engagementColor = 'var(--color-chart-2)'
