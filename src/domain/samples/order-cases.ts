import { toCase } from './support-case.ts';

/** Questions about orders, returns and payments, which the handbook answers. */
export const ORDER_CASES = (
  [
    [
      'return-worn-boots',
      'Can I send back boots that I wore once outside?',
      'Yes, within 30 days, if the soles are not damaged.',
      '~ Yes, you can return them. # Leaves out the 30 days and the condition of the soles.',
      '+ Yes. You can return worn boots within 30 days, as long as the soles show no damage. Start the return in your account.',
    ],
    [
      'return-label-abroad',
      'I live in Norway. Do I have to pay for the return label?',
      'Yes. Return labels are free only inside the country; abroad the customer pays.',
      '- No, return labels are free. # Labels are free only inside the country.',
      '+ Yes. Return labels are free inside the country, and customers abroad pay for them.',
    ],
    [
      'sale-item-refund',
      'The fleece was on sale. Can I get my money back?',
      'No. Sale items are exchanged, not refunded.',
      '- Yes, within 30 days. # Sale items are not refunded.',
      '+ Sale items can be exchanged for another size or article, but they are not refunded.',
    ],
    [
      'refund-when',
      'You received my parcel on Tuesday. When do I get my money?',
      'The refund is sent on the day the return arrives; the bank takes two to three working days.',
      '~ Within a few days. # Does not say when the refund is sent.',
      '+ We send the refund on the day your parcel arrives. Banks need another two to three working days, so expect it by Friday.',
    ],
    [
      'change-address',
      'I moved. Can you still change the address of my order from this morning?',
      'Yes, until the order leaves the warehouse, within one working day. Change it in the account.',
      '+ Yes, in your account, until the order leaves the warehouse.',
      '+ Yes, as long as it has not left the warehouse, which takes up to one working day. Open the order in your account and choose Change address.',
    ],
    [
      'cancel-order',
      'How do I cancel my order?',
      'In the account until the order has left the warehouse; afterwards by a return.',
      '~ Use the Cancel button in your account. # Does not say what to do after it was sent.',
      '+ Open the order in your account and choose Cancel. Once it has left the warehouse, decline the parcel or return it for free.',
    ],
    [
      'late-delivery',
      'My parcel should have come on Monday, and today is Thursday. What now?',
      'After two working days of delay we ask the carrier; after ten days we send it again or refund it.',
      '~ Please wait a little longer. # We act after two working days.',
      '+ I am sorry about the delay. After two working days we ask the carrier, so we do that now. If it is not found within ten days, we send it again or refund you.',
    ],
    [
      'missing-item',
      'One of two pairs of socks is missing from the parcel.',
      'Parts of an order may arrive separately; if the packing slip lists it, we send it again free of charge.',
      '+ It may arrive in a second parcel; if the packing slip lists it, tell us and we send it again for free.',
      '+ Please look at the packing slip. If it lists both pairs, we send the missing one again for free. If not, it follows in a second parcel.',
    ],
    [
      'pay-invoice',
      'Can I pay by invoice?',
      'Yes, within 14 days, from the second order on and up to 500.',
      '~ Yes, within 14 days. # Leaves out that it needs a second order and has a limit.',
      '+ Yes, from your second order on and up to 500. The invoice is due within 14 days.',
    ],
    [
      'gift-card-expiry',
      'Does my gift card from 2024 expire?',
      'Gift cards are valid for three years from the end of the year of purchase.',
      '- No, it does not expire. # It expires after three years.',
      '+ Yes. A gift card is valid for three years from the end of the year of purchase, so yours is valid until the end of 2027.',
    ],
    [
      'two-sizes',
      'May I order two sizes and send one back?',
      'Yes, one of two sizes is returned free of charge.',
      '+ Yes, and sending one back is free.',
      '+ Yes. Order both sizes, try them at home and return one of them free of charge within 30 days.',
    ],
    [
      'express',
      'I leave on Saturday. If I order today, Thursday at noon, does it come in time?',
      'Yes with express: orders before 14:00 leave the same day and arrive the next working day.',
      '~ Usually, yes. # Standard delivery is too late; it must be express.',
      '+ Choose express delivery. Orders before 14:00 leave the same day and arrive on the next working day, which is Friday.',
    ],
    [
      'promo-code',
      'The code SPRING does not work on the tent.',
      'Codes do not apply to sale items or to tents over 500.',
      '- Please try it again later. # The code does not apply to this tent.',
      '~ Codes do not apply to articles on sale. If the tent is not on sale, please send us a picture of the cart. # Leaves out tents over 500.',
    ],
    [
      'invoice-copy',
      'Where do I find the invoice for my tax return?',
      'In the account under Orders, as a PDF, for ten years.',
      '+ In your account, under Orders.',
      '+ Open Orders in your account and choose Invoice as PDF. Invoices stay there for ten years.',
    ],
    [
      'guest-order',
      'I ordered as a guest. How do I start a return?',
      'With the order number and the e-mail address on the page Returns.',
      '~ Log in and open your order. # A guest has no account.',
      '+ Open the page Returns and enter your order number and the e-mail address of the order. You do not need an account.',
    ],
    [
      'double-charge',
      'My card was charged twice for one order.',
      'One is a reservation that the bank releases within seven days; if not, we check it.',
      '- Please contact your bank. # We check it after seven days.',
      '+ One of the two amounts is a reservation, which your bank releases within seven days. If it is still there afterwards, send us the statement and we check it.',
    ],
  ] as const
).map(toCase);
