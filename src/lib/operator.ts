/** Who answers for the site, as its operator's settings say: the controller of the data. What is not set is undefined. */
export interface Operator {
  name?: string | undefined
  email?: string | undefined
  address?: string | undefined
}
