/** The condition under which an order has an orderId that does not follow from its token, because a fixture gave it one:
 *  an id that follows shares the time part. Only these are in an index of tokens, which so takes no page of a create
 *  call. */
export const hasOwnId = `substr(order_id, 1, 13) <> substr(token, 1, 13)`
