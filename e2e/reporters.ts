/** Tests report to the terminal and, where `.ci/run` counts them, to a file. */
export function reporters(): { reporters: string[]; outputFile?: { json: string } } {
  const report = process.env['TEST_REPORT']
  return report === undefined
    ? { reporters: ['default'] }
    : { reporters: ['default', 'json'], outputFile: { json: report } }
}
