import { describeExpressions } from './suite.ts'

describeExpressions('networks')
