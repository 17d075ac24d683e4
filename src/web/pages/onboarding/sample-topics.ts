/** Questions to the assistant of the sample, the documents it finds and its answers. */
export interface Topic {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  readonly documents: readonly string[];
  readonly tool?:
    | undefined
    | {
        readonly name: string;
        readonly description: string;
        /** JSON text. */
        readonly arguments: string;
        readonly result: string;
        readonly schema: object;
      };
}

export const TOPICS: readonly Topic[] = [
  {
    id: 'returns',
    question: 'Can I send back boots that I wore once outside?',
    answer:
      'Yes, within 30 days, as long as the soles show no damage. I can make a return label for you; it takes two minutes.',
    documents: [
      'Worn footwear can be returned within 30 days when the sole is undamaged.',
      'Return labels are free inside the country. Abroad, the customer pays.',
      'Sale items are exchanged, not refunded.',
    ],
  },
  {
    id: 'order-status',
    question: 'Where is my order 48213? It should have come on Monday.',
    answer:
      'Your order 48213 left our warehouse yesterday and is with the carrier. It should reach you **tomorrow before 18:00**.',
    documents: [
      'Orders leave the warehouse within one working day.',
      'The status of an order is known to the tool find_order.',
    ],
    tool: {
      name: 'find_order',
      description: 'Status and location of an order',
      arguments: '{"order_id": "48213"}',
      result:
        '{"order_id": "48213", "status": "in transit", "left_warehouse": "yesterday", "expected": "tomorrow 18:00", "carrier": "Northpost"}',
      schema: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
    },
  },
  {
    id: 'tent',
    question: 'Which tent for two people at minus ten degrees?',
    answer:
      'For two at -10 °C take the *Firn 2*: four-season poles, 2.9 kg, and a snow skirt. The *Lark 2* is lighter but only for three seasons.',
    documents: [
      'Firn 2: four seasons, 2.9 kg, snow skirt, two entrances, 620.00.',
      'Lark 2: three seasons, 1.7 kg, 410.00.',
      'A tent alone does not keep warm: the sleeping bag does.',
    ],
  },
  {
    id: 'stock',
    question: 'Do you have the Ridge jacket in blue, size M?',
    answer: 'Yes: three in blue, size M, are in stock. Ordered before 14:00, it leaves today.',
    documents: ['Stock is known to the tool find_stock. It is updated every minute.'],
    tool: {
      name: 'find_stock',
      description: 'Number of an article in stock',
      arguments: '{"article": "ridge-jacket", "colour": "blue", "size": "M"}',
      result: '{"article": "ridge-jacket", "stock": [{"colour": "blue", "size": "M", "count": 3}]}',
      schema: {
        type: 'object',
        properties: { article: { type: 'string' }, colour: { type: 'string' }, size: { type: 'string' } },
        required: ['article'],
      },
    },
  },
  {
    id: 'waterproof',
    question: 'My jacket lets water in at the shoulders. Is that covered?',
    answer:
      'That may be worn-out coating rather than a defect. Wash it with tech wash and tumble dry it for 20 minutes on low heat. If water still comes in, the two-year guarantee covers it:\n\n1. Take a photo of the wet seam\n2. Send it with your order number\n3. We answer within two days',
    documents: [
      'The guarantee is two years and covers seams and membranes.',
      'Coating wears off under the straps of a rucksack. Washing and heat bring it back.',
    ],
  },
  {
    id: 'refund',
    question: 'When do I get my money back for return R-7719?',
    answer:
      'Your return R-7719 was received on Tuesday and the refund of 129.00 was sent the same day. Banks take two to three working days.',
    documents: ['Refunds are sent on the day a return is received.'],
    tool: {
      name: 'find_refund',
      description: 'State of a refund',
      arguments: '{"return_id": "R-7719"}',
      result: '{"return_id": "R-7719", "received": "Tuesday", "amount": 129.0, "currency": "EUR", "state": "sent"}',
      schema: { type: 'object', properties: { return_id: { type: 'string' } }, required: ['return_id'] },
    },
  },
  {
    id: 'stove',
    question: 'Is the gas stove allowed on planes?',
    answer:
      'The stove itself yes, if it is clean and dry. Gas cartridges never, neither in the cabin nor in checked luggage.',
    documents: ['Stoves may fly when no fuel is left in them. Cartridges may not.'],
  },
  {
    id: 'sizing',
    question: 'I wear 43 in running shoes. Which size of your boots?',
    answer:
      'Most people take half a size more in boots: try 43.5, and 44 with thick socks. You can order both and send one back for free.',
    documents: ['Boots run small: half a size up.', 'Two sizes can be ordered, one is returned free.'],
  },
];
