/** As the plan says. The server decides; this only greys the button. */
export const clientLimit = 10
