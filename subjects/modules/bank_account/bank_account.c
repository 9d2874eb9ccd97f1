/* An account with a limit of credit, in cents. */

#include <stdlib.h>

enum { FEE = 5, MOST = 1000000 };

struct account {
	long balance, credit;
	int withdrawals, is_closed;
};

struct account *account_open(int credit)
{
	if (credit < 0 || credit > MOST) return NULL;
	struct account *account = calloc(1, sizeof(struct account));
	if (!account) return NULL;
	account->credit = credit;
	return account;
}

void account_free(struct account *account)
{
	free(account);
}

static int is_amount(int amount)
{
	return amount > 0 && amount <= MOST;
}

int account_deposit(struct account *account, int amount)
{
	if (account->is_closed || !is_amount(amount)) return 0;
	account->balance += amount;
	return 1;
}

/* From the fourth withdrawal on each costs a fee. */
int account_withdraw(struct account *account, int amount)
{
	if (account->is_closed || !is_amount(amount)) return 0;
	long cost = amount;
	if (account->withdrawals >= 3) cost += FEE;
	if (account->balance + account->credit < cost) return 0;
	account->balance -= cost;
	account->withdrawals++;
	return 1;
}

/* One twentieth of what is owed, and at least the fee. */
void account_charge(struct account *account)
{
	if (account->is_closed || account->balance >= 0) return;
	long interest = -account->balance / 20;
	if (interest < FEE) interest = FEE;
	account->balance -= interest;
	account->withdrawals = 0;
}

int account_close(struct account *account)
{
	if (account->is_closed || account->balance < 0) return 0;
	account->balance = 0;
	account->is_closed = 1;
	return 1;
}

long account_balance(const struct account *account)
{
	return account->balance;
}

long account_available(const struct account *account)
{
	return account->is_closed ? 0 : account->balance + account->credit;
}

int account_is_overdrawn(const struct account *account)
{
	return account->balance < 0;
}
